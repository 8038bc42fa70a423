import * as z from 'zod/mini'
import type { Ref } from 'react'
import type { Language } from '../../contract/constants.ts'
import { Field } from '../../src/ui/Field.tsx'
import { TextArea } from '../../src/ui/TextArea.tsx'
import { useTexts } from '../i18n.ts'

const titleMax = 200

/** What is written for members under a title. */
export const titled = z.object({ title: z.string(), body: z.string() })
export type Titled = z.infer<typeof titled>

type TitleAndTextProps = {
  text: Titled
  onChange: (next: Partial<Titled>) => void
  /** In which it is written; null if that is not chosen yet. */
  language: Language | null
  /** Of the text below the title. */
  label: string
  bodyMax: number
  rows: number
  /** Whether the title is written elsewhere. */
  hasNoTitle?: boolean
  /** What is wrong with a field, in words. */
  wrong?: Readonly<Record<string, string>>
  /** Gets the field of the title. */
  ref?: Ref<HTMLInputElement>
}

/** The fields of a title and of the text below it. */
export function TitleAndText(props: TitleAndTextProps) {
  const { text, onChange, label, bodyMax, rows, hasNoTitle = false, wrong = {}, ref = null } = props
  const t = useTexts()
  const lang = props.language ?? undefined
  return (
    <>
      {!hasNoTitle && (
        <Field
          ref={ref}
          label={t('article.title')}
          required
          maxLength={titleMax}
          lang={lang}
          value={text.title}
          error={wrong['title']}
          onChange={(event) => onChange({ title: event.currentTarget.value })}
        />
      )}
      <TextArea
        label={label}
        required
        maxLength={bodyMax}
        rows={rows}
        lang={lang}
        value={text.body}
        error={wrong['body']}
        onChange={(event) => onChange({ body: event.currentTarget.value })}
      />
    </>
  )
}
