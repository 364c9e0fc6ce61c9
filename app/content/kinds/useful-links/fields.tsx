import type { FormValues } from "../../../../common/kinds/kind-definition.ts";
import type { LinkFields } from "../../../../common/kinds/useful-links.ts";
import { TextArea, TextField } from "../../../ui/field.tsx";
import type { FieldsProps } from "../../content-kind.ts";

export default function LinkFieldset({ field }: FieldsProps<FormValues<LinkFields>>) {
  return (
    <>
      <TextField label="Title" {...field("title")} />
      <TextField label="URL" {...field("url")} />
      <TextArea label="Description" rows={3} {...field("description")} />
      <TextField label="Category" {...field("category")} />
    </>
  );
}
