// Import this file before the modules that read the list of kinds.
import { KINDS } from "../../common/kinds/index.ts";
import type { KindDefinition } from "../../common/kinds/kind-definition.ts";
import { talks } from "./talks.tsx";

(KINDS as KindDefinition[]).push(talks as unknown as KindDefinition);
