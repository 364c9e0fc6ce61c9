import { test } from "vitest";
import { fullDisk, mayMount } from "../drill/full-disk.ts";
import { holds } from "./holds.ts";

// A disk to fill is mounted for it, which not every tester may.
if (mayMount()) holds(fullDisk);
else test.skip(fullDisk.title);
