import { secrets } from "../drill/secrets.ts";
import { holds } from "./holds.ts";

holds(secrets);
