import { useId, useState, type SubmitEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { emailRule } from '../../../contract/rules.ts'
import { memberRoutes, type User } from '../../../contract/member.ts'
import { codeText, fieldTexts } from '../../api/failureText.ts'
import { ConfirmSheet } from '../../features/passkeys/ConfirmSheet.tsx'
import type { ConfirmedChange } from '../../features/passkeys/useConfirmation.ts'
import { useHasPasskey } from '../../features/passkeys/useSecondFactors.ts'
import { useCall } from '../../hooks/useCall.ts'
import { useFormat } from '../../hooks/useFormat.ts'
import { session } from '../../state/session.ts'
import { SubmitButton } from '../../shell/SubmitButton.tsx'
import { Field, ListRow, Sheet, toast } from '../../ui/index.ts'
import { useSubmit } from '../../hooks/useSubmit.ts'

/** The profile fields that a member may change; each is edited in a sheet. */
export function ProfileRows({ user }: { user: User }) {
  const { t } = useTranslation()
  const [edited, setEdited] = useState<'nickname' | 'contactEmail'>()
  const close = (): void => setEdited(undefined)
  const [isNickname, isEmail] = [edited === 'nickname', edited === 'contactEmail']
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
      <NicknameSheet key={`n${String(isNickname)}`} open={isNickname} value={user.nickname} onClose={close} />
      <EmailSheet
        key={`e${String(isEmail)}`}
        open={isEmail}
        value={user.contactEmail ?? ''}
        onClose={close}
      />
    </>
  )
}

const nicknameMax = 24
const emailMax = 254

type EditSheetProps = { open: boolean; value: string; onClose: () => void }

function NicknameSheet({ open, value, onClose }: EditSheetProps) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const form = useId()
  const [text, setText] = useState(value)
  const [save, busy, problem, setProblem] = useSubmit(async () => {
    const nickname = text.trim()
    if (nickname === '') return codeText(t, format, 'REQUIRED')
    const result = await call(memberRoutes.patchMe, { body: { nickname } })
    if (!result.ok) return fieldTexts(t, format, result.failure)['nickname'] ?? result.failure
    session.userInfo = result.value
    toast({ text: t('settings.saved'), kind: 'success' })
    return onClose()
  })
  const submit = (event: SubmitEvent<HTMLFormElement>): void => {
    event.preventDefault()
    save()
  }
  return (
    <Sheet
      open={open}
      onClose={onClose}
      title={t('settings.nickname')}
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
          label={t('settings.nickname')}
          hint={t('settings.nicknameHint')}
          error={problem}
          value={text}
          maxLength={nicknameMax}
          autoComplete="nickname"
          onChange={(event) => {
            setProblem(undefined)
            setText(event.currentTarget.value)
          }}
        />
      </form>
    </Sheet>
  )
}

/** The contact address: who can change it can ask for the account, so it is confirmed like a second factor. */
function EmailSheet({ open, value, onClose }: EditSheetProps) {
  const call = useCall()
  const { t } = useTranslation()
  const format = useFormat()
  const hasPasskey = useHasPasskey()
  const [text, setText] = useState(value)
  const [error, setError] = useState<string>()
  const entered = text.trim()
  const validate = (): boolean => {
    const invalid = emailRule(entered)
    setError(invalid && codeText(t, format, invalid))
    return invalid === undefined
  }
  const change: ConfirmedChange = async (proof) => {
    const body = { ...proof, contactEmail: entered === '' ? null : entered }
    const result = await call(memberRoutes.patchMe, { body })
    if (!result.ok) {
      const code = result.failure.kind === 'rejected' ? result.failure.fields['contactEmail'] : undefined
      return code === undefined ? result.failure : codeText(t, format, code)
    }
    session.userInfo = result.value
    toast({ text: t('settings.saved'), kind: 'success' })
    onClose()
    return undefined
  }
  return (
    <ConfirmSheet
      open={open}
      title={t('settings.contactEmail')}
      confirmLabel={t('settings.save')}
      hasPasskey={hasPasskey}
      validate={validate}
      change={change}
      onClose={onClose}
    >
      <Field
        label={t('settings.contactEmail')}
        hint={t('settings.emailHint')}
        error={error}
        value={text}
        maxLength={emailMax}
        type="email"
        inputMode="email"
        autoComplete="email"
        onChange={(event) => {
          setError(undefined)
          setText(event.currentTarget.value)
        }}
      />
    </ConfirmSheet>
  )
}
