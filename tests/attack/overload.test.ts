import { overload } from "../drill/overload.ts";
import { holds } from "./holds.ts";

holds(overload, /within 100 ms/);
