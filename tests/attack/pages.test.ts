import { pages } from "../drill/pages.ts";
import { holds } from "./holds.ts";

holds(pages);
