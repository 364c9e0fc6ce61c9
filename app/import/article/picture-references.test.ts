import { expect, test } from "vitest";
import { pictureAddresses, replacePictures } from "./picture-references.ts";

test.each([
  ["![A plan](plan.png)", "![A plan](NEW:plan.png)"],
  ['![A plan](./img/plan.png "Title")', '![A plan](NEW:./img/plan.png "Title")'],
  ["![A plan](<my plan.png>)", "![A plan](NEW:my plan.png)"],
  ["![a](a_(1).png) and ![b](b.png)", "![a](NEW:a_(1).png) and ![b](NEW:b.png)"],
  ["![a][plan]\n\n[plan]: /images/plan.png", "![a][plan]\n\n[plan]: NEW:/images/plan.png"],
  ["![](/img/a%20b.png)", "![](NEW:/img/a%20b.png)"],
  ['![a]({{ "/assets/a.png" | relative_url }})', "![a](NEW:/assets/a.png)"],
  ["![a]({{ site.baseurl }}/assets/a.png)", "![a](NEW:/assets/a.png)"],
  ["![[Pasted image 1.png]]", "![](NEW:Pasted image 1.png)"],
  ["![[a.png|A plan]]", "![A plan](NEW:a.png)"],
  ["![[a.png|300]]", "![](NEW:a.png)"],
  ['<img src="a.png" alt="A [plan]" width=300>', "![A plan](NEW:a.png)"],
  ['{{< figure src="a.png" alt="A plan" >}}', "![A plan](NEW:a.png)"],
])("the URL of the picture in %s is replaced", (text, replaced) => {
  expect(replacePictures(text, (address) => `NEW:${address}`)).toBe(replaced);
});

test("Markdown whose pictures are not replaced stays the same, byte for byte, and its picture URLs are listed", () => {
  const text = "# A\r\n\r\n![a](https://example.com/a.png) [link](b.png) `![[c.png]]` <img src='d.png'>";
  expect(replacePictures(text, () => undefined)).toBe(text);
  expect([...pictureAddresses(text)]).toEqual(["https://example.com/a.png", "c.png", "d.png"]);
});
