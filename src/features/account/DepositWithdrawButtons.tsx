import { useTranslation } from 'react-i18next'
import { hrefTo } from '../../router/hashLocation.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/index.ts'

/** Links to deposit and withdraw, the actions of an assets card. */
export function DepositWithdrawButtons() {
  const { t } = useTranslation()
  return (
    <>
      <Button block href={hrefTo(paths.deposit)}>
        {t('home.deposit')}
      </Button>
      <Button block variant="secondary" href={hrefTo(paths.withdraw)}>
        {t('home.withdraw')}
      </Button>
    </>
  )
}
