import { fuzz } from "../drill/fuzz.ts";
import { holds } from "./holds.ts";

holds(fuzz);
