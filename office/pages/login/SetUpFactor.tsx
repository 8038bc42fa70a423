import { staffSessionRoutes } from '../../../contract/office/staff.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { call } from '../../api.ts'
import { useLogOut } from '../../data/useLogOut.ts'
import { useTexts } from '../../i18n.ts'
import { setSession } from '../../state/staff.ts'
import { FailureLine } from '../../ui/FailureLine.tsx'
import { Entrance } from './Entrance.tsx'
import { Factors } from './Factors.tsx'

/** Where a second factor is required: nothing but setting one up is possible. */
export function SetUpFactor() {
  const t = useTexts()
  const { logOut, busy, failure } = useLogOut()
  const goOn = async (): Promise<void> => {
    const result = await call(staffSessionRoutes.show, {})
    if (result.ok) setSession(result.value)
  }
  return (
    <Entrance title={t('factor.needed')}>
      <p>{t('factor.why')}</p>
      <Factors onAdded={() => void goOn()} />
      <FailureLine failure={failure} />
      <Button variant="text" busy={busy} onClick={logOut}>
        {t('account.logOut')}
      </Button>
    </Entrance>
  )
}
