import { useRef, useState } from 'react'
import { officeRoutes } from '../../../contract/office/routes.ts'
import type { Language } from '../../../contract/constants.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { Field } from '../../../src/ui/Field.tsx'
import { TextArea } from '../../../src/ui/TextArea.tsx'
import { toast } from '../../../src/ui/toastStore.ts'
import { DecideDialog } from '../../actions/DecideDialog.tsx'
import { call } from '../../api.ts'
import { useRun } from '../../data/useRun.ts'
import { currentLanguage, useTexts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { useKeptText } from '../../state/drafts.ts'
import { LanguageChoice } from '../../ui/LanguageChoice.tsx'

const titleMax = 200
const bodyMax = 4000

type NewMessageProps = {
  memberId: string
  /** In which the member uses the app, if it is known. */
  language: Language | null
}
type NewMessageButtonProps = NewMessageProps & {
  /** Whether the dialog opens with the screen. */
  isOpenFirst?: boolean
}

/** Writes a system message to one member. */
export function NewMessage({ isOpenFirst = false, ...props }: NewMessageButtonProps) {
  const t = useTexts()
  const [isOpen, setOpen] = useState(isOpenFirst)
  useCommands([{ label: 'message.write', keys: 'w', group: 'list', run: () => setOpen(true) }])
  return (
    <>
      <Button size="small" variant="secondary" onClick={() => setOpen(true)}>
        {t('message.write')} <Keys keys="w" />
      </Button>
      {isOpen && <MessageDialog {...props} onClose={() => setOpen(false)} />}
    </>
  )
}

function MessageDialog({ memberId, language: ofMember, onClose }: NewMessageProps & { onClose: () => void }) {
  const t = useTexts()
  const [language, setLanguage] = useState<Language>(ofMember ?? currentLanguage())
  const [title, setTitle] = useKeptText(`message ${memberId} title`)
  const [body, setBody] = useKeptText(`message ${memberId} body`)
  const input = useRef<HTMLInputElement>(null)
  const { run, busy, failure } = useRun(
    () => call(officeRoutes.messages.send, { body: { to: memberId, title, body, lang: language } }),
    () => {
      toast({ text: t('message.sent'), kind: 'success' })
      setTitle('')
      setBody('')
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
      <LanguageChoice
        label={t('reject.language')}
        value={language}
        onValue={setLanguage}
        ofMember={ofMember}
      />
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
