import { expect, test } from "vitest";
import { dropLeftoverSyntax } from "./leftover-syntax.ts";

const drop = (text: string) => dropLeftoverSyntax(text).text;

test.each([
  // Hashnode
  ['![A](https://x.test/a.png align="left")', "![A](https://x.test/a.png)"],
  ['![A](a.png "Title" align="center")\nText', '![A](a.png "Title")\nText'],
  // HackMD
  ["![](a.png =300x200) ![b](b.png =50%x) ![c](c.png =x20)", "![](a.png) ![b](b.png) ![c](c.png)"],
  ['[![a](a.png "T" =300x)](b.png)', '[![a](a.png "T")](b.png)'],
  // Obsidian
  ["![A plan|300](a.png) ![|20x30](b.png)", "![A plan](a.png) ![](b.png)"],
  ["| a |\n| - |\n| ![A\\|20](a.png) |", "| a |\n| - |\n| ![A](a.png) |"],
  ["See [[Other note|the note]] and [[Other note]].", "See the note and Other note."],
  ["[[a/b#Part one]] [[#Part]] [[a#^12ab]]", "a/b > Part one Part a"],
  // kramdown and Pandoc
  ['![a](a.png){: width="300" .wide }\n_The plan_', "![a](a.png)\n_The plan_"],
  ["![a](a.png){width=50%} ![b](b.png){.wide #b}", "![a](a.png) ![b](b.png)"],
  ["A warning.\n{: .prompt-warning }\n\nText", "A warning.\n\nText"],
  ["{: .first }\nText", "Text"],
  ["> Quoted\n{: .tip }", "> Quoted\n"],
  ["> Quoted\n> {: .tip }\n> More", "> Quoted\n> More"],
  ["*words*{:.x} and `code`{:.language-sql}", "*words* and `code`"],
  ["[a](b){:target='_blank'} [c][d]{:.e}\n\n[d]: f", "[a](b) [c][d]\n\n[d]: f"],
  ["- {:.x} item", "-  item"],
  ["## Heading {: #id .c}\nText", "## Heading\nText"],
  ["| a |\n| - |\n| b |\n{: .table }\n\nText", "| a |\n| - |\n| b |\n\nText"],
  ["```sql\nselect 1;\n```\n{: .nolineno }", "```sql\nselect 1;\n```\n"],
  // Ghost
  ["[a](__GHOST_URL__/b/) ![c](<__GHOST_URL__/d.png>)", "[a](/b/) ![c](</d.png>)"],
  ["[a]: __GHOST_URL__/b/\n\n<img src='__GHOST_URL__/c.png'>", "[a]: /b/\n\n<img src='/c.png'>"],
  // Hugo and Jekyll
  [
    "{{< highlight sql >}}\nselect *\nfrom a; # not a heading\n{{< /highlight >}}",
    "```sql\nselect *\nfrom a; # not a heading\n```",
  ],
  [
    '{{< highlight go "linenos=table,hl_lines=8" >}}\na\n\n\nb\n{{</ highlight >}}\n\nText',
    "```go\na\n\n\nb\n```\n\nText",
  ],
  ["{% highlight sql linenos %}\n# a\n{% endhighlight %}\nText", "```sql\n# a\n```\nText"],
  ["{%- highlight c++ -%}\na\n{%- endhighlight -%}", "```c++\na\n```"],
  [
    "{{< highlight md >}}\n```\na\n```\n{{< /highlight >}}\n\n{{< highlight sql >}}\nb\n{{< /highlight >}}",
    "````md\n```\na\n```\n````\n\n```sql\nb\n```",
  ],
  [
    "{{< highlight md >}}\n```\n{{< /highlight >}}\n\n{{< highlight sql >}}\nb\n{{< /highlight >}}",
    "````md\n```\n````\n\n```sql\nb\n```",
  ],
  ["{{< highlight sql >}}select 1;{{< /highlight >}}", "```sql\nselect 1;\n```"],
  ["- {% highlight sql %}\n  a\n  {% endhighlight %}", "- ```sql\n  a\n  ```"],
])("%j becomes %j", (text, expected) => {
  expect(drop(text)).toBe(expected);
});

test.each([
  ["Before %%ask Kim%% after", "Before  after", "private comments, removed: “ask Kim”"],
  [
    "A\n\n%%\n# Plans\n\n![x](secret.png)\n\n```\ncode\n```\n%%\n\nB",
    "A\n\n\nB",
    "private comments, removed: “# Plans ![x](secret.png) ``` code ```”",
  ],
  ["%%a%% %%b%%\nB", " \nB", "private comments, removed: “a”, “b”"],
  ["A\n\n{::comment}\nask Kim\n{:/comment}\n\nB", "A\n\n\nB", "private comments, removed: “ask Kim”"],
  ["A {% comment %}ask Kim{% endcomment %}", "A ", "private comments, removed: “ask Kim”"],
  ["{{% comment %}}ask Kim{{% /comment %}}\nA", "A", "private comments, removed: “ask Kim”"],
  [
    "{% raw %}\n```\n{{ a }}\n```\n{% endraw %}",
    "```\n{{ a }}\n```\n",
    "marks of another program, removed: {% raw %}, {% endraw %}",
  ],
  ['![a](b.png "T" =30x20)', '![a](b.png "T")', "marks of another program, removed: =30x20"],
  ["A\n{: .b }", "A\n", "marks of another program, removed: {: .b }"],
  ["See [[A note|it]].", "See it.", "links to no file of this import, now text: [[A note|it]]"],
])("the import of %j says what it removes", (text, expected, note) => {
  expect(dropLeftoverSyntax(text)).toEqual({ text: expected, notes: [note] });
});

test.each([
  'df["a"] is a series, df[["a", "b"]] and df[[a]] are frames',
  '| frame |\n| --- |\n| df[["a"]] |',
  'C++ has [[nodiscard]], [[gnu::pure]] and [[deprecated("x")]], TOML has [[products]]',
  "if [[$a]], [[a=b]], `a`[[b]], the list [[a, b]]",
  'Jupyter has %%time and %%bash, batch files have %%i and %%j, "%% and %%" is printf',
  "100 %%a\n\n```\nb\n```\n\nc%%",
  "A comment %%begins here\n\nand doesn't end here%%",
  "{:ok, value} is a tuple, and {:error, reason} too",
  "# Elixir\n{:ok}\n\n- {:ok, a}",
  "[a](b){see c} [d](e){.f and g}",
  'Ghost writes __GHOST_URL__ or "__GHOST_URL__"x',
  "{{< a\n\n>}} {% b\n\n%}",
  "WHERE name LIKE %%smith%% and like '%%smith%%'",
  "a %%x\n# Heading\ny%% b",
  "- a %%x\n- b%%",
  "a %%x\n```\ncode\n```\ny%% b",
  "grep [[:digit:]]+ and [[:alpha:]] in POSIX",
  "R prints [[1]], x[[i]][[j]], and `[[`/`]]` are operators",
  "Prolog has [[H|T]|Rest] and [[H|T]]",
  "if ![[ -f x ]]; then",
  "Python has {:.2f}, **bold**{:.2f} and `f`{:.3}",
  "# Format {:.2f}\n\n- {:#x} prints hexadecimal digits, {:?} and {:#?} more",
  "{:.2f}\n\nand\n\n{:#b}",
  "A **{:.x}** B",
  "## Blocks of Svelte {#if}",
  'Ruby has "#{x}", LaTeX {#1}, CSS {.a}, Svelte {#each items as item}',
  "LaTeX has \\caption[short]{x} and [caption]{x}",
  "Use [caption] and [/caption] around a picture.",
  "if a == b, a==b, x == 1 or y == 2, use ===",
  "The regex [^1] matches, [^0-9]: too",
  "stats:::print.lm in R, A::B and C:::D",
  "{{ ref('model') }}, {{ item }}, {{- range .Items }} and {{/* a */}}",
])("%j is technical prose and stays byte for byte", (text) => {
  expect(dropLeftoverSyntax(text)).toEqual({ text, notes: [] });
});

test.each([
  "`![a](a.png =30x20)` `[[a]]` `%%a%%` `{: .a }`",
  "```\n%%a%%\n[[b]]\n{: .c }\n__GHOST_URL__/d\n```",
  "    {% highlight sql %}\n    {% endhighlight %}",
  "<!-- %%a%% [[b]] {: .c } -->",
  "\\[[a]] \\{: .b } \\%%c%%",
  "100%% of 50%% and 20%%",
  "A matrix [[1, 2]] and a test [[ -f a ]]",
  "Use {: .class } after a paragraph",
  "A set {a, b} and {c}",
  "![[note]] ![a](b.png) [c](d){e}",
  "[[a]]: b",
  "{{< highlight >}}\nno language\n{{< /highlight >}}",
  "{{< highlight sql >}}\nnever closed",
  "%% never closed",
  "![1|2](a.png 'x') | ![a](b.png '=20x20')".replace("1|2", "1"),
])("%j stays byte for byte", (text) => {
  expect(drop(text)).toBe(text);
});

test.each<[text: string, named: string[]]>([
  [
    "JavaScript has [[Prototype]] and [[Call]], Lua [[two words]].",
    ["[[Prototype]]", "[[Call]]", "[[two words]]"],
  ],
  ["The frame of [[First Name, Last Name]]", ["[[First Name, Last Name]]"]],
  ["![[A note]]", ["![[A note]]"]],
  ["This is ==important==.", ["==important=="]],
  ["Jinja has {# comments #}.", ["{# comments #}"]],
  ["::: note\nText\n:::", ["::: note"]],
])("%j may be another program's, stays byte for byte, and is named", (text, named) => {
  expect(dropLeftoverSyntax(text)).toEqual({ text, notes: [`shown as text: ${named.join(", ")}`] });
});

test.each([
  "Use {% raw %} to escape Liquid.",
  "Between {% raw %} and {% endraw %} nothing is parsed.",
  "Use `{% raw %}` and {% endraw %}",
  "Wrap it in {% highlight python %} and {% endhighlight %}.",
  "{% comment %} begins a comment.",
])("%j is about Liquid and stays byte for byte", (text) => {
  expect(drop(text)).toBe(text);
});

test.each<[text: string, expected: string, note: string]>([
  ["## Setup {#set-up .x}\nText", "## Setup\nText", "{#set-up .x}"],
  ["> ## Setup {#set-up} ##\n> Text", "> ## Setup ##\n> Text", "{#set-up}"],
  ["## 设置 {#设置}", "## 设置", "{#设置}"],
  ["A {% raw %}`{{ x }}`{% endraw %} B", "A `{{ x }}` B", "{% raw %}, {% endraw %}"],
  ["[caption id=1]![a](b.png) words[/caption]", "![a](b.png) words", "[caption id=1], [/caption]"],
  ["![a](b.png) words[/caption]", "![a](b.png) words", "[/caption]"],
])("%j becomes %j, and the import names the mark", (text, expected, note) => {
  expect(dropLeftoverSyntax(text)).toEqual({
    text: expected,
    notes: [`marks of another program, removed: ${note}`],
  });
});

test("a wiki link becomes text only in files that have wiki links", () => {
  const vault = { hasWikiLinks: true, isNote: () => false };
  const text = "See [[Other]] and [[Two words]], but not df[[a]] or `[[Other]]`.";
  expect(dropLeftoverSyntax(text, vault)).toEqual({
    text: "See Other and Two words, but not df[[a]] or `[[Other]]`.",
    notes: ["links to no file of this import, now text: [[Other]], [[Two words]]"],
  });
  expect(dropLeftoverSyntax("![[Other]] [[Other]]", { ...vault, isNote: () => true }).text).toBe(
    "[Other](<Other.md>) [Other](<Other.md>)",
  );
});
