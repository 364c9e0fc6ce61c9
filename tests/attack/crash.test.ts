import { crash } from "../drill/crash.ts";
import { holds } from "./holds.ts";

holds(crash);
