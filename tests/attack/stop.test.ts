import { stop } from "../drill/stop.ts";
import { holds } from "./holds.ts";

holds(stop);
