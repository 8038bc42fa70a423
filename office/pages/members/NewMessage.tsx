import { useRef, useState } from 'react'
import type { Language } from '../../../contract/constants.ts'
import { officeRoutes } from '../../../contract/office/routes.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { toast } from '../../../src/ui/toastStore.ts'
import { DecideDialog } from '../../actions/DecideDialog.tsx'
import { call } from '../../api.ts'
import { useRun } from '../../data/useRun.ts'
import { useTexts } from '../../i18n.ts'
import { Keys } from '../../keys/Keys.tsx'
import { useCommands } from '../../keys/useCommands.ts'
import { useKept } from '../../state/drafts.ts'
import { LanguageChoice } from '../../ui/LanguageChoice.tsx'
import { TitleAndText, titled, type Titled } from '../../ui/TitleAndText.tsx'
import { useReadLanguage } from '../../ui/useReadLanguage.ts'
import type { MemberView } from './memberView.ts'

const bodyMax = 4000
const empty: Titled = { title: '', body: '' }

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
  const [draft, setDraft] = useKept(`message ${memberId}`, titled)
  const text = draft ?? empty
  const input = useRef<HTMLInputElement>(null)
  const { run, busy, failure } = useRun(
    (lang: Language) => call(officeRoutes.messages.send, { body: { to: memberId, ...text, lang } }),
    () => {
      toast({ text: t('message.sent'), kind: 'success' })
      setDraft(() => null)
      onClose()
    },
  )
  const send = (): void => {
    if (check() && language !== null) run(language)
  }
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
      <TitleAndText
        ref={input}
        text={text}
        onChange={(next) => setDraft((before) => ({ ...(before ?? empty), ...next }))}
        language={language}
        label={t('message.body')}
        bodyMax={bodyMax}
        rows={5}
      />
    </DecideDialog>
  )
}
