import { sockets } from "../drill/sockets.ts";
import { holds } from "./holds.ts";

holds(sockets);
