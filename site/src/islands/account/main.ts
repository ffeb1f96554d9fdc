import { apiOrigin } from "../api.ts";
import { say } from "../page-state.ts";
import { startAccountPage } from "./account-page.tsx";

if (apiOrigin() === location.origin) void startAccountPage();
else say(`Sign in at the service itself: ${apiOrigin()}/account/`);
