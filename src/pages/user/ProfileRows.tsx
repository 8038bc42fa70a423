import { useId, useState } from 'react'
import type { SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { emailRule } from '../../../contract/rules.ts'
import { memberRoutes } from '../../../contract/member.ts'
import type { User } from '../../../contract/member.ts'
import { codeText, failureText } from '../../api/failureText.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useAction } from '../../hooks/useAction.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { session } from '../../state/session.ts'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Field, ListRow, Sheet, toast } from '../../ui/index.ts'

const fields = ['nickname', 'contactEmail'] as const
type Name = (typeof fields)[number]

/** The profile fields that a member may change; each is edited in a sheet. */
export function ProfileRows({ user }: { user: User }) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<Name>()
  return (
    <>
      <ListRow label={t('settings.nickname')} value={user.nickname} onClick={() => setEdited('nickname')} />
      <ListRow
        label={t('settings.contactEmail')}
        {...(user.contactEmail === null
          ? { value: t('settings.emailNone') }
          : { caption: user.contactEmail })}
        onClick={() => setEdited('contactEmail')}
      />
      {fields.map((name) => (
        <EditSheet
          key={`${name} ${String(edited === name)}`}
          name={name}
          open={edited === name}
          value={user[name] ?? ''}
          onClose={() => setEdited(undefined)}
        />
      ))}
    </>
  )
}

const nicknameMax = 24
const emailMax = 254

type EditSheetProps = { name: Name; open: boolean; value: string; onClose: () => void }

function EditSheet({ name, open, value, onClose }: EditSheetProps) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const form = useId()
  const [text, setText] = useState(value)
  const [error, setError] = useState<string>()
  const [save, busy] = useAction(async () => {
    const entered = text.trim()
    const invalid = name === 'contactEmail' ? emailRule(entered) : entered === '' ? 'REQUIRED' : undefined
    if (invalid !== undefined) {
      setError(codeText(t, format, invalid))
      return
    }
    const body =
      name === 'nickname' ? { nickname: entered } : { contactEmail: entered === '' ? null : entered }
    const result = await call(memberRoutes.patchMe, { body })
    if (result.ok) {
      session.userInfo = result.value
      toast({ text: t('settings.saved'), kind: 'success' })
      onClose()
      return
    }
    const { failure } = result
    const code = failure.kind === 'rejected' ? failure.fields[name] : undefined
    setError(code === undefined ? failureText(t, format, failure) : codeText(t, format, code))
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    save()
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t(`settings.${name}`)}
      closeLabel={t('common.close')}
      locked={busy}
      footer={
        <SubmitButton form={form} busy={busy}>
          {t('settings.save')}
        </SubmitButton>
      }
    >
      <form id={form} noValidate onSubmit={submit}>
        <Field
          label={t(`settings.${name}`)}
          hint={t(name === 'nickname' ? 'settings.nicknameHint' : 'settings.emailHint')}
          error={error}
          value={text}
          maxLength={name === 'nickname' ? nicknameMax : emailMax}
          {...(name === 'contactEmail'
            ? { type: 'email', inputMode: 'email', autoComplete: 'email' }
            : { autoComplete: 'nickname' })}
          onChange={(event) => {
            setError(undefined)
            setText(event.currentTarget.value)
          }}
        />
      </form>
    </Sheet>
  )
}
