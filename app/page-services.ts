import { createContext } from "react-router";
import type { PageServices } from "../common/page-services.ts";

export const pageServices = createContext<PageServices>();
