import { useRouteLoaderData } from "react-router";
import type { Site } from "../../common/page-services.ts";

/** Returns the site's settings for pages. Undefined if the root loader has failed. */
export const useSite = () => useRouteLoaderData("root") as Site | undefined;
