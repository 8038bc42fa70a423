import { useState } from 'react'
import { staffSessionRoutes } from '../../../contract/backOffice/staff.ts'
import { useAction } from '../../../src/hooks/useAction.ts'
import type { Failure } from '../../../streams/index.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { Field } from '../../../src/ui/Field.tsx'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { setSession } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Entrance } from './Entrance.tsx'

/** A member of staff logs in with the own name. */
export function LogIn() {
  const t = useTexts()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const [failure, setFailure] = useState<Failure>()
  const [logIn, busy] = useAction(async () => {
    setFailure(undefined)
    const result = await call(staffSessionRoutes.logIn, { body: { name: name.trim(), password } })
    if (result.ok) setSession(result.value)
    else setFailure(result.failure)
  })
  return (
    <Entrance title={t('login.title')} onSubmit={logIn}>
      <Field
        label={t('login.name')}
        autoComplete="username"
        autoCapitalize="none"
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Field
        label={t('login.password')}
        type="password"
        autoComplete="current-password"
        required
        reveal={{ show: t('login.show'), hide: t('login.hide') }}
        value={password}
        onChange={(event) => setPassword(event.currentTarget.value)}
      />
      <FailureLine failure={failure} />
      <Button type="submit" block busy={busy}>
        {t('login.submit')}
      </Button>
    </Entrance>
  )
}
