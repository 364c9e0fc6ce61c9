import { outage } from "../drill/outage.ts";
import { holds } from "./holds.ts";

holds(outage);
