import type { FormValues } from "../../../../common/kinds/kind-definition.ts";
import { INDENTS, type SampleFields } from "../../../../common/kinds/sample-code.ts";
import { CodeArea } from "../../../ui/editing-areas.tsx";
import { Select, TextArea, TextField } from "../../../ui/field.tsx";
import type { FieldsProps } from "../../content-kind.ts";

export default function SampleFieldset({ values, field }: FieldsProps<FormValues<SampleFields>>) {
  return (
    <>
      <TextField label="Title" {...field("title")} />
      <TextArea label="Description" rows={3} {...field("description")} />
      <Select label="Language" placeholder="Select a language" {...field("language")} />
      <CodeArea label="Code" indent={INDENTS[values.language]} rows={10} {...field("code_content")} />
    </>
  );
}
