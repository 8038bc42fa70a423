import { Figure, Icon, Logo } from '../../ui/index.ts'
import { iconNames } from '../../ui/iconNames.ts'
import { Specimen } from './Specimen.tsx'
import styles from './Gallery.module.css'

const neutrals = ['n0', 'n50', 'n100', 'n200', 'n300', 'n400', 'n500', 'n600', 'n900']
const colours = [
  'accent',
  'accent-tint',
  'up',
  'up-fill',
  'up-tint',
  'down',
  'down-fill',
  'down-tint',
  'warn',
]

/** Colour, type, scripts and icons. */
export function GalleryType() {
  return (
    <>
      <Specimen title="Colour">
        <div className={styles.swatches}>
          {[...neutrals, ...colours].map((name) => (
            <div key={name} className={styles.swatch} style={{ background: `var(--${name})` }} title={name} />
          ))}
        </div>
      </Specimen>
      <Specimen title="Type and scripts">
        <Logo name="Uptick" />
        <div>
          <Figure>1,295.78</Figure>
        </div>
        <div>
          <Figure size={28}>10,240.50</Figure>
        </div>
        <p lang="zh-CN">可用余额 10,240.50，今日盈亏 +142.50</p>
        <p lang="ja">利用可能残高 10,240.50、本日の損益 +142.50</p>
        <p lang="th">ยอดที่ใช้ได้ 10,240.50 กำไรวันนี้ +142.50</p>
        <p lang="de">Verfügbar 10.240,50, Gewinn heute +142,50</p>
      </Specimen>
      <Specimen title="Icons">
        <div className={styles.wrap}>
          {iconNames.map((name) => (
            <Icon key={name} name={name} label={name} />
          ))}
        </div>
      </Specimen>
    </>
  )
}
