import { useRef, useState } from 'react'
import type { Language } from '../../../contract/constants.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
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
import { useKeptText } from '../../state/drafts.ts'
import { LanguageChoice } from '../../ui/LanguageChoice.tsx'
import { useReadLanguage } from '../../ui/useReadLanguage.ts'
import type { MemberView } from './memberView.ts'

const titleMax = 200
const bodyMax = 4000

type NewMessageProps = { member: Pick<MemberView, 'id' | 'language' | 'writesIn'> }
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

function MessageDialog({ member, onClose }: NewMessageProps & { onClose: () => void }) {
  const t = useTexts()
  const memberId = member.id
  const { language, check, choice } = useReadLanguage(member)
  const [title, setTitle] = useKeptText(`message ${memberId} title`)
  const [body, setBody] = useKeptText(`message ${memberId} body`)
  const input = useRef<HTMLInputElement>(null)
  const { run, busy, failure } = useRun(
    (lang: Language) => call(officeRoutes.messages.send, { body: { to: memberId, title, body, lang } }),
    () => {
      toast({ text: t('message.sent'), kind: 'success' })
      setTitle('')
      setBody('')
      onClose()
    },
  )
  const send = (): void => {
    if (check() && language !== null) run(language)
  }
  const lang = language ?? undefined
  return (
    <DecideDialog
      title={t('message.write')}
      busy={busy}
      failure={failure}
      focus={input}
      onConfirm={send}
      onClose={onClose}
    >
      <LanguageChoice {...choice} label={t('reject.language')} ofMember={member.language} />
      <Field
        ref={input}
        label={t('article.title')}
        required
        maxLength={titleMax}
        lang={lang}
        value={title}
        onChange={(event) => setTitle(event.currentTarget.value)}
      />
      <TextArea
        label={t('message.body')}
        required
        maxLength={bodyMax}
        rows={5}
        lang={lang}
        value={body}
        onChange={(event) => setBody(event.currentTarget.value)}
      />
    </DecideDialog>
  )
}
