import { useEffect, useRef, useState } from 'react'
import { staffSessionRoutes, type StaffRole } from '../../../contract/office/staff.ts'
import { useAction } from '../../../src/hooks/useAction.ts'
import { fieldTexts } from '../../../src/api/failureText.ts'
import { isUnreachable } from '../../../src/api/result.ts'
import { navigate } from '../../../src/router/hashLocation.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { Field } from '../../../src/ui/Field.tsx'
import type { Failure } from '../../../streams/index.ts'
import i18next from 'i18next'
import { call } from '../../api.ts'
import { useOfficeCall } from '../../data/useOfficeCall.ts'
import { useOfficeFormat } from '../../data/useOfficeFormat.ts'
import { useTexts } from '../../i18n.ts'
import { setSession } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Entrance } from './Entrance.tsx'

type EnrolmentProps = { code: string }

/** A new member of staff sets a password with the code of the link, which works once. */
export function Enrol({ code }: EnrolmentProps) {
  const t = useTexts()
  const { data, failure } = useOfficeCall(staffSessionRoutes.checkEnrolment, { body: { code } })
  const [invited, setInvited] = useState(data)
  if (invited === undefined && data !== undefined) setInvited(data)
  const isRateLimited = failure?.kind === 'rejected' && failure.status === 429
  // Once shown it stays: what is filled in would be lost when it renders again, or when a session that ends clears the data.
  if (invited !== undefined) return <EnrolForm code={code} {...invited} />
  return (
    <Entrance title={t('enrol.title')}>
      {failure === undefined ? (
        <p>{t('list.loading')}</p>
      ) : isUnreachable(failure) || isRateLimited ? (
        <FailureLine failure={failure} />
      ) : (
        <p role="alert">{t('enrol.invalid')}</p>
      )}
    </Entrance>
  )
}

function EnrolForm({ code, name, role }: EnrolmentProps & { name: string; role: StaffRole }) {
  const t = useTexts()
  const format = useOfficeFormat()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const [isShown, setShown] = useState(false)
  const first = useRef<HTMLInputElement>(null)
  useEffect(() => first.current?.focus(), [])
  const isDifferent = again !== '' && again !== password
  const [enrol, busy, failure] = useAction<[], Failure>(async () => {
    if (password !== again) return setAgain(again === '' ? ' ' : again)
    const result = await call(staffSessionRoutes.enrol, { body: { code, password } })
    if (!result.ok) return result.failure
    setSession(result.value)
    return navigate('/', { replace: true })
  })
  const wrong = failure === undefined ? {} : fieldTexts(i18next.t, format, failure)
  return (
    <Entrance title={t('enrol.title')} onSubmit={enrol}>
      <p>{t('enrol.who', { name, role: t(`role.${role}`) })}</p>
      <input type="text" autoComplete="username" value={name} readOnly hidden />
      <Field
        ref={first}
        label={t('enrol.password')}
        hint={t('enrol.rule')}
        error={wrong['password']}
        type={isShown ? 'text' : 'password'}
        autoComplete="new-password"
        required
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Field
        label={t('enrol.again')}
        error={isDifferent ? t('enrol.different') : undefined}
        type="password"
        autoComplete="new-password"
        required
        // One eye shows both, and stands behind both: Tab leads from one to the other.
        reveal={{ show: t('login.show'), hide: t('login.hide') }}
        onReveal={setShown}
        value={again}
        onChange={(event) => setAgain(event.currentTarget.value)}
      />
      {Object.keys(wrong).length === 0 && <FailureLine failure={failure} />}
      <Button type="submit" block busy={busy}>
        {t('enrol.submit')}
      </Button>
    </Entrance>
  )
}
