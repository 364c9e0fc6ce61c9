import { identities } from "../drill/identities.ts";
import { holds } from "./holds.ts";

holds(identities);
