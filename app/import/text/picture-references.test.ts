import { expect, test } from "vitest";
import { expectLinearWork } from "../../../tests/support/growth.ts";
import { findPictureReferences, type Resolve } from "./picture-references.ts";

const replaceAll = (text: string) => findPictureReferences(text).replace((address) => `/new/${address}`);
/** Replaces only pictures with names that begin with "plan". */
const replacePlans = (text: string) =>
  findPictureReferences(text).replace((address) => (/(?:^|\/)plan/.test(address) ? "/new.webp" : undefined));

test.each([
  ["![A plan](plan.png)", "![A plan](/new.webp)"],
  ['![A plan](./img/plan.png "A title")', '![A plan](/new.webp "A title")'],
  ["![A plan](plan.png 'A title')", "![A plan](/new.webp 'A title')"],
  ["![A plan](plan.png (A title))", "![A plan](/new.webp (A title))"],
  ["![A plan](<plan one.png>)", "![A plan](/new.webp)"],
  ["![a\\]b](plan_\\(1\\).png) and ![b](plan(2).png)", "![a\\]b](/new.webp) and ![b](/new.webp)"],
  ["![a][one]\n\n[one]: </images/plan.png>\n  'A title'", "![a][one]\n\n[one]: /new.webp\n  'A title'"],
  ["![one]\n\n> [one]:\n> plan.png", "![one]\n\n> [one]:\n> /new.webp"],
  ["![](/img/plan%20a.png)", "![](/new.webp)"],
  ["[![thumb](plan.png)](plan-large.png)", "[![thumb](/new.webp)](/new.webp)"],
  ["[The plan](plan.png) and [more](other.html)", "[The plan](/new.webp) and [more](other.html)"],
  ["| a |\n| - |\n| ![x](plan.png) |", "| a |\n| - |\n| ![x](/new.webp) |"],
  ["> - ![x](plan.png)", "> - ![x](/new.webp)"],
  ["text[^1]\n\n[^1]: ![x](plan.png)", "text[^1]\n\n[^1]: ![x](/new.webp)"],
  ["<!-- hidden --> ![x](plan.png)", "<!-- hidden --> ![x](/new.webp)"],
  ["<!-- `more` --> ![x](plan.png) and `code`", "<!-- `more` --> ![x](/new.webp) and `code`"],
  ["![x](plan one.png)", "![x](/new.webp)"],
  ["[x]( plan one.png )", "[x]( /new.webp )"],
  ["![see [12]](plan one.png)", "![see [12]](/new.webp)"],
  ['![x](plan one.png "A title")', '![x](/new.webp "A title")'],
  ['![x](plan one.png "A title" )', '![x](/new.webp "A title" )'],
  ['![a]({{ "/assets/plan.png" | relative_url }})', "![a](/new.webp)"],
  ["![a]({{ site.baseurl }}/assets/plan.png)", "![a](/new.webp)"],
  ["[![a]({{ site.baseurl }}/plan.png)]({{ site.baseurl }}/plan.png)", "[![a](/new.webp)](/new.webp)"],
  ["![[plan 1.png]]", "![](/new.webp)"],
  ["![[plan.png|A *plan*]]", "![A \\*plan\\*](/new.webp)"],
  ["![[plan.png|A plan|300]] ![[plan.png|300x200]]", "![A plan](/new.webp) ![](/new.webp)"],
  ["| a |\n| - |\n| ![[plan.png\\|100]] |", "| a |\n| - |\n| ![](/new.webp) |"],
  ['{{< figure src="plan.png" alt="A `plan`" class="wide" >}}', "![A \\`plan\\`](/new.webp)"],
  ["{{<figure src=plan.png>}}", "![](/new.webp)"],
  ['{{% figure\n  link="other.png"\n  src="plan.png"\n  caption="The plan" %}}', "![The plan](/new.webp)"],
  ["{% asset_img plan.png The plan %}", "![The plan](/new.webp)"],
  ['{% asset_img wide plan.png 300 200 \'"Title" "The plan"\' %}', "![The plan](/new.webp)"],
  ['{% include figure.html path="img/plan.png" title="The plan" %}', "![The plan](/new.webp)"],
  ['{{< hero title-image="plan.png" >}}', "![](/new.webp)"],
  ['[a]({{< ref "a.md" >}}) {% img plan.png %}', '[a]({{< ref "a.md" >}}) ![](/new.webp)'],
])("the picture in %j gets its new URL, and every other byte stays", (text, replaced) => {
  expect(replacePlans(text)).toBe(replaced);
});

test.each([
  ['Text <img src="plan.png" alt="A [plan]"> text', "Text ![A \\[plan\\]](/new.webp) text"],
  ["<img src=plan.png alt=Plan width=300>", "![Plan](/new.webp)"],
  ["<IMG ALT='a > b' SRC='plan.png'/>", "![a > b](/new.webp)"],
  ['Text <img src=" plan.png " alt=" A\n  plan ">', "Text ![A plan](/new.webp)"],
  ['Text <img src="plan.png" title="A plan">', "Text ![A plan](/new.webp)"],
  ['Text <a href="plan.png"><img src="plan-small.png"></a>', "Text [![](/new.webp)](/new.webp)"],
  ['Text <a href="/a b"><img src="plan.png"></a>', "Text [![](/new.webp)](</a b>)"],
  [
    '<p align="center">\n  <img src="plan.png" alt="Plan">\n</p>',
    '<p align="center">\n\n![Plan](/new.webp)\n\n</p>',
  ],
  ["<p>One <img src='plan.png'> two</p>\n\nText", "<p>One\n\n![](/new.webp)\n\ntwo</p>\n\nText"],
  [
    "<figure><img src=plan.png><figcaption>One</figcaption></figure>",
    "<figure>\n\n![](/new.webp)\n\n<figcaption>One</figcaption></figure>",
  ],
  [
    "<div><img src=plan1.png><img src=https://x.test/y.png><img src=plan2.png></div>",
    "<div>\n\n![](/new.webp)\n\n<img src=https://x.test/y.png>\n\n![](/new.webp)\n\n</div>",
  ],
  ["<div><!-- The plan --><img src=plan.png></div>", "<div><!-- The plan -->\n\n![](/new.webp)\n\n</div>"],
  [
    "a[^1]\n\n[^1]: <div><img src=plan.png></div>",
    "a[^1]\n\n[^1]: <div>\n\n      ![](/new.webp)\n\n      </div>",
  ],
  ["- item\n\n  <div><img src=plan.png></div>", "- item\n\n  <div>\n\n  ![](/new.webp)\n\n  </div>"],
  ["> <p>\n> <img src=plan.png>\n> </p>", "> <p>\n>\n> ![](/new.webp)\n>\n> </p>"],
  ["1. > <p><img src=plan.png></p>", "1. > <p>\n   >\n   > ![](/new.webp)\n   >\n   > </p>"],
  ["<p>\r\n<img src=plan.png>\r\n</p>", "<p>\r\n\r\n![](/new.webp)\r\n\r\n</p>"],
])("the picture in the HTML %j becomes Markdown outside HTML: %j", (text, replaced) => {
  expect(replacePlans(text)).toBe(replaced);
});

test.each([
  "`![a](plan.png)` and ``![[plan.png]] ` <img src=plan.png>``",
  "```html\n<img src=plan.png>\n![a](plan.png)\n```",
  "    ![a](plan.png)\n    <img src=plan.png>",
  "~~~\n{{< figure src=plan.png >}}\n[a]: plan.png\n~~~",
  "\\![[plan.png]] and !\\[a](plan.png) and \\<img src=plan.png>",
  "<!-- ![a](plan.png) <img src=plan.png> -->",
  "<!-- never closed\n![a](plan.png)\n\n![a](plan.png)",
  "<div>\n<!-- <img src=plan.png> -->\n</div>",
  "text <!-- <img src=plan.png> --> text",
  "<pre>\n<img src=plan.png>\n\n<img src=plan.png>\n</pre>",
  "<script>\nconst x = '<img src=plan.png>';\n</script>",
  "[a]: other.png 'plan.png'",
  "![plan.png](other.png)",
  '{{< figure src="other.png" title="plan.png" >}}',
  "Tags begin with {{< and\n\nplan.png or other words follow, then >}}",
  "Text <a href='plan.png'><img src='other.png'></a>",
  "<div><img src='other.png'></div>  \n\nText",
  "![a](https://x.test/other.png) [link](other.png) `![[plan.png]]` <img src='other.png'>",
])("%j stays byte for byte", (text) => {
  expect(replacePlans(text)).toBe(text);
});

test("a text isn't changed if its pictures keep their URLs", () => {
  const text =
    "\ufeff# A\r\n\r\n![a](x.png =30x)\t[b](y.png){: .c}\r<img src='d.png'>\r\n{% img e.png %} ![[f.png|2]]";
  expect(findPictureReferences(text).replace(() => undefined)).toBe(text);
});

test.each<[text: string, asked: [address: string, isPicture: boolean][]]>([
  [
    "![a](a.png) [b](b.png)",
    [
      ["a.png", true],
      ["b.png", false],
    ],
  ],
  ["[a](a b.html)", [["a b.html", false]]],
  ["![[A note#Setup|b]]", [["A note", false]]],
  ["{{< youtube a >}}", [["a", false]]],
  ['Text <a href="b.html"><img src="a.png"></a>', [["a.png", true]]],
  ["[a]({{ '/img/a.png' | relative_url }})", [["/img/a.png", false]]],
  ['![a]({{"/img/a.png"|relative_url}})', [["/img/a.png", true]]],
  ["[a]({{ site.baseurl }}/img/a.png)", [["/img/a.png", false]]],
])(
  "in %j, the new URLs of these addresses are asked for, and whether they are pictures for certain: %j",
  (text, asked) => {
    const calls: [string, boolean][] = [];
    findPictureReferences(text).replace((...call) => {
      calls.push(call);
      return undefined;
    });
    expect(calls).toEqual(asked);
  },
);

test.each([
  ["![](a.png) ![ ](b.png) ![c](c.png) [](d.png)", ["a.png", "b.png"]],
  [
    "Text <img src=a.png> <img src=b.png alt=' '> <img src=c.png alt=C> <img src=d.png title=D>",
    ["a.png", "b.png"],
  ],
  ["<div><img src=a.png></div>\n\n<div><img src=b.png alt=B></div>", ["a.png"]],
])("the pictures without a description in %j are listed: %j", (text, undescribed) => {
  expect(findPictureReferences(text).undescribed).toEqual(undescribed);
});

test("the tags that stay in the text are listed, except those in code and comments", () => {
  const text =
    "{{< youtube x >}} {% img plan.png %} `{% raw %}` <!-- {% hidden %} -->\n\n<div>\n{{% notice\nnote %}}\n</div>\n\n    {{< code >}}";
  const resolve: Resolve = (address) => (address === "plan.png" ? "/new" : undefined);
  expect(findPictureReferences(text).remainingTags(resolve)).toEqual([
    "{{< youtube x >}}",
    "{{% notice note %}}",
  ]);
});

test.each([
  ["tags that are never closed", "", "{{< a "],
  ["Liquid tags that are never closed", "", "{% a "],
  ["open HTML tags", "", '<img a="'],
  ["spaces after a bracket", "](", " "],
])("a text with %s stays as it is, and the work of reading it grows with its length", (_, start, part) => {
  const textOf = (length: number) => start + part.repeat(length / part.length);
  expect(replaceAll(textOf(20_000))).toBe(textOf(20_000));
  expectLinearWork(20_000, textOf, replaceAll);
});
