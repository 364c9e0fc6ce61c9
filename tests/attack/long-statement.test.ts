import { longStatement } from "../drill/long-statement.ts";
import { holds } from "./holds.ts";

holds(longStatement);
