import { type CodeSample, LANGUAGES, sampleCode } from "../../../../common/kinds/sample-code.ts";
import { Chip } from "../../../ui/chip.tsx";
import { CopyCode } from "../../../ui/copy-code.ts";
import { ServerHtml } from "../../../ui/server-html.tsx";
import { CardFrame } from "../../card-frame.tsx";
import type { CardProps } from "../../content-kind.ts";
import { WholeTextLink } from "../../whole-text-link.tsx";

export default function SampleCard({ card: { item, html, isCut }, actions, isPage }: CardProps<CodeSample>) {
  return (
    <CardFrame kind={sampleCode} item={item} isPage={isPage} actions={actions}>
      {item.description && (
        <p dir="auto" className="mb-4 max-w-measure text-prose whitespace-pre-line text-muted">
          {item.description}
        </p>
      )}
      <div className="code-frame">
        <p className="code-language">
          <Chip>{LANGUAGES[item.language] ?? item.language}</Chip>
        </p>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: wide code scrolls; `useScrollStops` frees code that doesn't */}
        <pre dir="ltr" tabIndex={0} className="code-block">
          <ServerHtml as="code" html={html} />
        </pre>
        {/* On a cut sample, the button would copy only the part that the card shows. */}
        {!isCut && <CopyCode language={LANGUAGES[item.language] ?? item.language} />}
      </div>
      {isCut && <WholeTextLink kind={sampleCode} item={item} />}
    </CardFrame>
  );
}
