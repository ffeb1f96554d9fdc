import { offerCopies } from "./copy-button.ts";

offerCopies(document);
