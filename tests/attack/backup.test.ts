import { backup } from "../drill/backup.ts";
import { holds } from "./holds.ts";

holds(backup);
