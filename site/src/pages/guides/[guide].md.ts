import type { APIRoute } from "astro";
import { guides } from "../../data/docs/guides.ts";

export const getStaticPaths = () =>
  guides.map(({ slug, markdown }) => ({ params: { guide: slug }, props: { markdown } }));

export const GET: APIRoute = ({ props }) =>
  new Response(props["markdown"], { headers: { "content-type": "text/markdown; charset=utf-8" } });
