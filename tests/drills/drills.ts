import { attacks } from "./attacks.ts";
import { backup } from "./backup.ts";
import { busyRelease } from "./busy-release.ts";
import { container } from "./container.ts";
import { crash } from "./crash.ts";
import type { Drill } from "./figure.ts";
import { fullDisk } from "./full-disk.ts";
import { fuzz } from "./fuzz.ts";
import { guide } from "./guide.ts";
import { identities } from "./identities.ts";
import { largeUpgrade } from "./large-upgrade.ts";
import { logs } from "./logs.ts";
import { oneMember } from "./one-member.ts";
import { outage } from "./outage.ts";
import { pages } from "./pages.ts";
import { restart } from "./restart.ts";
import { secrets } from "./secrets.ts";
import { signInAttacks } from "./sign-in.ts";
import { stop } from "./stop.ts";
import { dependencies, hostileContent, migrations } from "./suites.ts";
import { upgrade } from "./upgrade.ts";

// `npm run drill` runs the drills in this order.
export const drills: Drill[] = [
  crash,
  stop,
  restart,
  busyRelease,
  outage,
  fullDisk,
  oneMember,
  identities,
  fuzz,
  hostileContent,
  pages,
  signInAttacks,
  attacks,
  secrets,
  dependencies,
  migrations,
  logs,
  backup,
  upgrade,
  largeUpgrade,
  container,
  guide,
];
