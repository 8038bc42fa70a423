import { useRef, useState } from 'react'
import { backOfficeRoutes } from '../../../contract/backOffice.ts'
import { defaultLanguage } from '../../../contract/constants.ts'
import type { Language } from '../../../contract/constants.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { Field } from '../../../src/ui/Field.tsx'
import { TextArea } from '../../../src/ui/TextArea.tsx'
import { toast } from '../../../src/ui/toastStore.ts'
import { DecideDialog } from '../../actions/DecideDialog.tsx'
import { call } from '../../api.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { LanguageChoice } from '../../ui/LanguageChoice.tsx'

const titleMax = 200
const bodyMax = 4000

/** Writes a system message to one member. */
export function NewMessage({ memberId }: { memberId: string }) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(false)
  useCommands([{ label: 'message.write', keys: 'w', group: 'list', run: () => setOpen(true) }])
  return (
    <>
      <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
        {t('message.write')} <Keys keys="w" />
      </Button>
      {isOpen && <MessageDialog memberId={memberId} onClose={() => setOpen(false)} />}
    </>
  )
}

function MessageDialog({ memberId, onClose }: { memberId: string; onClose: () => void }) {
  const t = useTexts()
  const [language, setLanguage] = useState<Language>(defaultLanguage)
  const [title, setTitle] = useState('')
  const [body, setBody] = useState('')
  const input = useRef<HTMLInputElement>(null)
  const { run, busy, failure } = useRun(
    () => call(backOfficeRoutes.messages.send, { body: { to: memberId, title, body, lang: language } }),
    () => {
      toast({ text: t('message.sent'), kind: 'success' })
      onClose()
    },
  )
  return (
    <DecideDialog
      title={t('message.write')}
      busy={busy}
      failure={failure}
      focus={input}
      onConfirm={run}
      onClose={onClose}
    >
      <LanguageChoice label={t('reject.language')} value={language} onValue={setLanguage} />
      <Field
        ref={input}
        label={t('article.title')}
        required
        maxLength={titleMax}
        lang={language}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TextArea
        label={t('message.body')}
        required
        maxLength={bodyMax}
        rows={5}
        lang={language}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
    </DecideDialog>
  )
}
