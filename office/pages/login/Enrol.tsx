import { useEffect, useRef, useState } from 'react'
import { staffSessionRoutes } from '../../../contract/office/staff.ts'
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

/** A new member of staff sets a password with the code of the link, which works once. */
export function Enrol({ code }: { code: string }) {
  const t = useTexts()
  const format = useOfficeFormat()
  const [password, setPassword] = useState('')
  const [again, setAgain] = useState('')
  const invited = useOfficeCall(staffSessionRoutes.checkEnrolment, { body: { code } })
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
  const isRateLimited = invited.failure?.kind === 'rejected' && invited.failure.status === 429
  if (invited.failure !== undefined) {
    return (
      <Entrance title={t('enrol.title')} onSubmit={() => undefined}>
        {isUnreachable(invited.failure) || isRateLimited ? (
          <FailureLine failure={invited.failure} />
        ) : (
          <p role="alert">{t('enrol.invalid')}</p>
        )}
      </Entrance>
    )
  }
  return (
    <Entrance title={t('enrol.title')} onSubmit={enrol}>
      {invited.data !== undefined && (
        <p>{t('enrol.who', { name: invited.data.name, role: t(`role.${invited.data.role}`) })}</p>
      )}
      <input type="text" autoComplete="username" value={invited.data?.name ?? ''} readOnly hidden />
      <Field
        ref={first}
        label={t('enrol.password')}
        hint={t('enrol.rule')}
        error={wrong['password']}
        type="password"
        autoComplete="new-password"
        required
        reveal={{ show: t('login.show'), hide: t('login.hide') }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <Field
        label={t('enrol.again')}
        error={isDifferent ? t('enrol.different') : undefined}
        type="password"
        autoComplete="new-password"
        required
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
