import remarkCjkFriendly from "remark-cjk-friendly";
import remarkCjkFriendlyStrikethrough from "remark-cjk-friendly-gfm-strikethrough";
import remarkGfm from "remark-gfm";
import { remarkComments } from "./comments.ts";

export const REMARK_PLUGINS = [remarkGfm, remarkCjkFriendly, remarkCjkFriendlyStrikethrough, remarkComments];
