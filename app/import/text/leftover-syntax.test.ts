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
  ['He said "yes" ![a](b.png =30x20)', 'He said "yes" ![a](b.png)'],
  // Obsidian
  ["![A plan|300](a.png) ![|20x30](b.png)", "![A plan](a.png) ![](b.png)"],
  ["| a |\n| - |\n| ![A\\|20](a.png) |", "| a |\n| - |\n| ![A](a.png) |"],
  ["See [[Other note|the note]] and [[Other note]].", "See the note and Other note."],
  ["[[a/b#Part one]] [[#Part]] [[a#^12ab]]", "a/b > Part one Part a"],
  ["![A plan| 300 ](a.png)", "![A plan](a.png)"],
  ["[[##Part]], [[Kim^12ab]], [[Plot of x^2 and x]]", "Part, Kim, Plot of x^2 and x"],
  ["> %%\n> ask Kim\n>\n> # Plans\n> %%\n\nA", "\nA"],
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
  ["**words**{:.x} and a note[^1]{:.x}\n\n[^1]: N", "**words** and a note[^1]\n\n[^1]: N"],
  ["![a][b]{: .wide}\n\n[b]: c.png", "![a][b]\n\n[b]: c.png"],
  ["See <https://x.test>{:.wide}", "See <https://x.test>"],
  ["[a](https://x.test){target=_blank}", "[a](https://x.test)"],
  ["##  Set up  {#set-up} \nText", "##  Set up \nText"],
  ["* Contents\n{:toc}", "* Contents\n"],
  ["1. Contents\n{: toc .wide}\n\nText", "1. Contents\n\nText"],
  ['{:note: .wide title="Note"}\n\nText', "\nText"],
  ['{::options toc_levels="2..3" /}\n\nText', "\nText"],
  ["{::nomarkdown}\n<b>A</b>\n{:/nomarkdown}\n", "<b>A</b>\n"],
  ["{::nomarkdown}\n<b>A</b>\n{:/}\n", "<b>A</b>\n"],
  // Ghost
  ["[a](__GHOST_URL__/b/) ![c](<__GHOST_URL__/d.png>)", "[a](/b/) ![c](</d.png>)"],
  ["[a]: __GHOST_URL__/b/\n\n<img src='__GHOST_URL__/c.png'>", "[a]: /b/\n\n<img src='/c.png'>"],
  ["[a](__GHOST_URL__) <img src='__GHOST_URL__/b.png'>", "[a](/) <img src='/b.png'>"],
  ["<p>\n<img src=__GHOST_URL__/b.png>\n</p>", "<p>\n<img src=/b.png>\n</p>"],
  // WordPress
  ["[embed]https://x.test/a[/embed]", "<https://x.test/a>"],
  ['[embed width="300"]\nhttp://x.test/a\n[/embed]', "<http://x.test/a>"],
  ["\\[embed\\]https://x.test/a\\[/embed\\]", "<https://x.test/a>"],
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
  ["{{<highlight  go>}}\na\n{{</highlight>}}", "```go\na\n```"],
  ["{%highlight  sql%}\na\n{%endhighlight%}", "```sql\na\n```"],
  ["\n{% highlight sql %}\na\n{% endhighlight %} \nText", "\n```sql\na\n``` \nText"],
  ["10. {% highlight sql %}\n    a\n    {% endhighlight %}", "10. ```sql\n    a\n    ```"],
  ["{{< highlight sql >}}a{{< /highlight >}} Text\n", "```sql\na\n```\n Text\n"],
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
  ["A {::comment}ask Kim{:/} B", "A  B", "private comments, removed: “ask Kim”"],
  ["A {%comment%}ask Kim{%endcomment%}", "A ", "private comments, removed: “ask Kim”"],
  ["A {%- comment -%} ask Kim {%- endcomment -%}", "A ", "private comments, removed: “ask Kim”"],
  ["{{<comment>}}ask Kim{{</comment>}}\nA", "A", "private comments, removed: “ask Kim”"],
  ["{{< comment >}}\nask Kim\n{{< / comment >}}\nA", "A", "private comments, removed: “ask Kim”"],
  [
    "A {% comment %}the {{ title }}, 5%% more{% endcomment %}",
    "A ",
    "private comments, removed: “the {{ title }}, 5%% more”",
  ],
  [
    "A\n\n{% comment %}\nask Kim\n\n# Plans\n{% endcomment %}",
    "A\n\n",
    "private comments, removed: “ask Kim # Plans”",
  ],
  ["\n# Plans %%ask Kim%%\n\nA", "\n# Plans \n\nA", "private comments, removed: “ask Kim”"],
  ["A\n\n%%\nask Kim\n\nand Lee %%\n\nB", "A\n\n\nB", "private comments, removed: “ask Kim and Lee”"],
  ["\n%%ask Kim%%\nA", "\nA", "private comments, removed: “ask Kim”"],
  ["| a %%ask Kim%% |\n| - |\n| b |", "| a  |\n| - |\n| b |", "private comments, removed: “ask Kim”"],
  ["Mail [kim@x.test] %%ask Kim%%", "Mail [kim@x.test] ", "private comments, removed: “ask Kim”"],
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
  "%%\nx = 1\n\n%% The second cell\ny = 2",
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
  "*Always* write {: .class } after a word.",
  "The picture ![A|v300](a.png)",
  '`up`{job="api"} is a query, and so is\n\n{app="nginx"}',
  "Write # before a name {#name}",
  "## Use {#id} and {#name}.",
  "Obsidian hides words between %% %%, and Liquid has {% comment %}{% endcomment %}",
  "%%time measures a cell.\n\nEvery command begins with %%",
  "“{% highlight sql %}” and “{% endhighlight %}” surround code",
  "Our [gallery](https://x.test), a [video](a.mp4), `[/gallery]` and `\\[audio\\]` of WordPress",
  "![a](b.png)\n\nUse [caption] and [/caption] around a picture.",
  "Use [caption] here.\n\n![a](b.png)\n\nThen use [caption] again.",
  "- Write [caption] here\n  ```\n  ![a](b.png)\n  ```\n  and [/caption] here",
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
  ["Text\n  :::note\nText\n:::", [":::note"]],
  ['[gallery ids="1,2"]', ['[gallery ids="1,2"]']],
  ["`code`[contact-form] [contact-form-7 id=1]", ["[contact-form]", "[contact-form-7 id=1]"]],
  ["\\[youtube x\\]", ["\\[youtube x\\]"]],
])("%j may be another program's, stays byte for byte, and is named", (text, named) => {
  expect(dropLeftoverSyntax(text)).toEqual({ text, notes: [`shown as text: ${named.join(", ")}`] });
});

test.each([
  "Use {% raw %} to escape Liquid.",
  "Between {% raw %} and {% endraw %} nothing is parsed.",
  "Use {% raw %} before `{{ a }}` and {% raw %} again.",
  "{% raw %}\nis Liquid's mark, and so is {% endraw %}",
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
  ["A {% raw %}`{%`{% endraw %} B", "A `{%` B", "{% raw %}, {% endraw %}"],
  ["A {% raw %}`%}`{% endraw %} B", "A `%}` B", "{% raw %}, {% endraw %}"],
  ["A {% raw %} {% endraw %} B", "A   B", "{% raw %}, {% endraw %}"],
  ["{%raw%}\nA\n{%endraw%}", "A\n", "{%raw%}, {%endraw%}"],
  ["[caption id=1]<img src=a.png> words[/caption]", "<img src=a.png> words", "[caption id=1], [/caption]"],
  ["[caption]\n![a](b.png)\nwords\n[/caption]", "\n![a](b.png)\nwords\n", "[caption], [/caption]"],
  [
    "[caption]![a](b.png)\n`a`\n~~b~~ ```c```[/caption]",
    "![a](b.png)\n`a`\n~~b~~ ```c```",
    "[caption], [/caption]",
  ],
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

test.each([
  ["[[Kim's plan]], [[2024 plans]], [[Meeting 2024]]", "Kim's plan, 2024 plans, Meeting 2024"],
  ["[[Anna and Ben, Kim]], [[Paris, a trip]]", "Anna and Ben, Kim, Paris, a trip"],
  ["See [[Plan]]: it has dates.", "See Plan: it has dates."],
])("the wiki links in %j become words: %j", (text, expected) => {
  expect(dropLeftoverSyntax(text, { hasWikiLinks: true, isNote: () => false }).text).toBe(expected);
});

test.each([
  "[[1 0; 0 1]] is a matrix, and so are [[1 2]], [[alpha, beta]], [[x1,x2,x3]] and [[alpha , beta]]",
  '[[Plan]]: plan.md "Foam\'s definition of a link"',
  "[[plan.png]]",
  "![[Other]]",
])("%j stays byte for byte, also in files that have wiki links", (text) => {
  expect(dropLeftoverSyntax(text, { hasWikiLinks: true, isNote: () => false }).text).toBe(text);
});

test("a link to a note of the import has its own words, without the spaces around them", () => {
  const vault = { hasWikiLinks: true, isNote: (name: string) => name === "Other" };
  expect(dropLeftoverSyntax("[[Other | it]]", vault).text).toBe("[it](<Other.md>)");
});
