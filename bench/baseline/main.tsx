// The architecture that the specification describes, without anything else: a client-rendered application that
// fetches all rows at once and searches them in the browser. The bench compares the site with it.
import { createClient } from "@supabase/supabase-js";
import { useEffect, useMemo, useState } from "react";
import { createRoot } from "react-dom/client";
import Markdown from "react-markdown";
import { BrowserRouter, Link, Route, Routes } from "react-router";
import remarkGfm from "remark-gfm";

interface Article {
  id: string;
  title: string;
  content: string;
  created_at: string;
  profiles: { full_name: string | null; username: string | null } | null;
}

const supabase = createClient(location.origin, "anonymous");

function Articles() {
  const [articles, setArticles] = useState<Article[]>([]);
  const [text, setText] = useState("");
  const [author, setAuthor] = useState("");
  const [sort, setSort] = useState("desc");

  useEffect(() => {
    supabase
      .from("articles")
      .select("*, profiles(username, full_name)")
      .order("created_at", { ascending: false })
      .then(({ data }) => setArticles(data ?? []));
  }, []);

  const found = useMemo(() => {
    const contains = (value: string | null | undefined, part: string) =>
      value?.toLowerCase().includes(part.toLowerCase());
    const matching = articles.filter(
      ({ title, content, profiles }) =>
        (contains(title, text) || contains(content, text)) &&
        (author === "" || contains(profiles?.full_name, author) || contains(profiles?.username, author)),
    );
    return sort === "desc" ? matching : matching.toReversed();
  }, [articles, text, author, sort]);

  return (
    <>
      <h1>Articles</h1>
      <form>
        <input name="q" value={text} onChange={(event) => setText(event.target.value)} />
        <input name="author" value={author} onChange={(event) => setAuthor(event.target.value)} />
        <select value={sort} onChange={(event) => setSort(event.target.value)}>
          <option value="desc">Newest First</option>
          <option value="asc">Oldest First</option>
        </select>
      </form>
      {found.map(({ id, title, content, created_at, profiles }) => (
        <article id={id} key={id}>
          <h2>{title}</h2>
          <p>
            By {profiles?.full_name || profiles?.username} |{" "}
            {new Date(created_at).toLocaleDateString("en-US", {
              month: "short",
              day: "numeric",
              year: "numeric",
            })}
          </p>
          <Markdown remarkPlugins={[remarkGfm]}>{content}</Markdown>
        </article>
      ))}
    </>
  );
}

const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <BrowserRouter>
      <nav>
        <Link to="/">Home</Link> <Link to="/articles">Articles</Link>
      </nav>
      <Routes>
        <Route path="*" element={<Articles />} />
      </Routes>
    </BrowserRouter>,
  );
}
