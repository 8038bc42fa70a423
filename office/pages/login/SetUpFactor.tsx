import { staffSessionRoutes } from '../../../contract/backOffice/staff.ts'
import { useAction } from '../../../src/hooks/useAction.ts'
import { Button } from '../../../src/ui/Button.tsx'
import { call } from '../../api.ts'
import { useTexts } from '../../i18n.ts'
import { setSession } from '../../state/staff.ts'
import { Entrance } from './Entrance.tsx'
import { Factors } from './Factors.tsx'

/** Where a second factor is required: nothing but setting one up is possible. */
export function SetUpFactor() {
  const t = useTexts()
  const [logOut, busy] = useAction(async () => {
    await call(staffSessionRoutes.logOut, {})
    setSession(null)
  })
  const goOn = async (): Promise<void> => {
    const result = await call(staffSessionRoutes.show, {})
    if (result.ok) setSession(result.value)
  }
  return (
    <Entrance title={t('factor.needed')}>
      <p>{t('factor.why')}</p>
      <Factors onAdded={() => void goOn()} />
      <Button variant="text" busy={busy} onClick={logOut}>
        {t('account.logOut')}
      </Button>
    </Entrance>
  )
}
