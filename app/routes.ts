import { index, type RouteConfig, route } from "@react-router/dev/routes";

export default [
  index("routes/home.tsx"),
  route("profile", "routes/profile.tsx"),
  route("profile/:username", "routes/person.tsx"),
  route("articles", "routes/articles.tsx"),
  route("articles/:id", "routes/article.tsx"),
  route("useful-links", "routes/useful-links.tsx"),
  route("useful-links/:id", "routes/useful-link.tsx"),
  route("sample-code", "routes/sample-code.tsx"),
  route("sample-code/:id", "routes/code-sample.tsx"),
  route("lists/:table", "routes/list.ts"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
