import { MEMBER_JOURNEYS } from "./member-journeys.ts";
import { OPERATOR_JOURNEYS } from "./operator-journeys.ts";
import type { Journey } from "./steps.ts";
import { VISITOR_JOURNEYS } from "./visitor-journeys.ts";

const AT_ANY_ZOOM = [...VISITOR_JOURNEYS, ...MEMBER_JOURNEYS, ...OPERATOR_JOURNEYS];

/** All journeys. Some of those that move the focus run a second time at 200 %. */
export const JOURNEYS: Journey[] = [
  ...AT_ANY_ZOOM,
  ...AT_ANY_ZOOM.filter(({ title }) =>
    /opens an article from a list|Show More|undoes|menu of a member|earlier version/.test(title),
  ).map((journey) => ({ ...journey, title: `${journey.title}, at 200 %`, zoom: 2 })),
];
