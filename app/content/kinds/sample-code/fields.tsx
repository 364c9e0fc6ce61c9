import type { FormValues } from "../../../../common/kinds/kind-definition.ts";
import { INDENTS, LANGUAGES, type SampleFields } from "../../../../common/kinds/sample-code.ts";
import { CodeArea, Select, TextArea, TextField } from "../../../ui/field.tsx";
import type { FieldsProps } from "../../content-kind.ts";

export default function SampleFieldset({ values, field }: FieldsProps<FormValues<SampleFields>>) {
  return (
    <>
      <TextField label="Title" required {...field("title")} />
      <TextArea label="Description" rows={3} {...field("description")} />
      <Select label="Language" required {...field("language")}>
        <option value="">Select a language</option>
        {Object.entries(LANGUAGES).map(([language, label]) => (
          <option key={language} value={language}>
            {label}
          </option>
        ))}
      </Select>
      <CodeArea
        label="Code"
        indent={INDENTS[values.language]}
        required
        rows={10}
        {...field("code_content")}
      />
    </>
  );
}
