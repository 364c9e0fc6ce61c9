import type { ArticleFields } from "../../../../common/kinds/articles.ts";
import type { FormValues } from "../../../../common/kinds/kind-definition.ts";
import { PictureTextArea } from "../../../pictures/picture-text-area.tsx";
import { Checkbox, TextField } from "../../../ui/field.tsx";
import type { FieldsProps } from "../../content-kind.ts";
import { PreviewPane } from "../../editor/preview-pane.tsx";

export default function ArticleFieldset({
  values,
  field,
  formUploads,
}: FieldsProps<FormValues<ArticleFields>>) {
  return (
    <>
      <TextField label="Title" {...field("title")} />
      <div className="grid gap-4 lg:grid-cols-2 lg:gap-x-8">
        <PictureTextArea
          label="Content (Markdown)"
          rows={10}
          formUploads={formUploads}
          {...field("content")}
        />
        <PreviewPane text={values.content} />
      </div>
      <div>
        <Checkbox label="Publish article" {...field("published")} aria-describedby="publish-help" />
        <p id="publish-help" className="text-sm text-muted">
          Published articles can appear on the home page. The Articles page lists all articles, published or
          not.
        </p>
      </div>
    </>
  );
}
