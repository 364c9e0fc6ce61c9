import { logs } from "../drill/logs.ts";
import { holds } from "./holds.ts";

holds(logs);
