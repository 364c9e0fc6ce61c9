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
  ["Before %%ask Kim%% after", "Before  after", "a private comment is removed"],
  [
    "A\n\n%%\n# Plans\n\n![x](secret.png)\n\n```\ncode\n```\n%%\n\nB",
    "A\n\n\nB",
    "a private comment is removed",
  ],
  ["%%a%% %%b%%\nB", " \nB", "2 private comments are removed"],
  ["A\n\n{::comment}\nask Kim\n{:/comment}\n\nB", "A\n\n\nB", "a private comment is removed"],
])("the private comment in %j is removed, and the import says so", (text, expected, note) => {
  expect(dropLeftoverSyntax(text)).toEqual({ text: expected, notes: [note] });
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
