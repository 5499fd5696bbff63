// Completes package-lock.json with the packages of other platforms. A registry that does not carry them lets
// `npm install` write a lock without them, and `npm ci` then refuses that lock everywhere. Run by hand after
// dependencies have changed: node scripts/complete-lock.mjs [bench/package-lock.json]
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const file = process.argv[2] ?? fileURLToPath(new URL('../package-lock.json', import.meta.url))
const lock = JSON.parse(readFileSync(file, 'utf8'))
const { packages } = lock
const added = []

for (const [path, entry] of Object.entries(packages)) {
  const folder = path.slice(0, path.lastIndexOf('node_modules/'))
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const spots = [`${path}/node_modules/`, `${folder}node_modules/`, 'node_modules/'].map((spot) => spot + name)
    const found = spots.find((spot) => packages[spot] !== undefined)
    if (!/^\d/.test(version) || packages[found]?.version === version) continue
    packages[`${folder}node_modules/${name}`] = platformPackage(name, version, entry)
    added.push(`${folder}node_modules/${name}`)
  }
}

const { '': root, ...rest } = packages
const sorted = Object.entries(rest).sort(([a], [b]) => a.localeCompare(b, 'en'))
lock.packages = { '': root, ...Object.fromEntries(sorted) }
writeFileSync(file, `${JSON.stringify(lock, null, 2)}\n`)
console.log(added.length === 0 ? 'nothing was missing' : `added:\n${added.join('\n')}`)

/** The entry of a platform package, from its name: `binding-linux-x64-musl`. */
function platformPackage(name, version, { dev, license, engines }) {
  const os = /android|darwin|freebsd|linux|openharmony|win32/.exec(name)?.[0]
  const cpu = /wasm32|arm64|arm|x64|ia32|ppc64|s390x|riscv64/.exec(name)?.[0]
  const libc = os !== 'linux' ? undefined : name.endsWith('musl') ? 'musl' : name.endsWith('gnu') ? 'glibc' : undefined
  return {
    version,
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(dev ? { dev } : {}),
    ...(libc === undefined ? {} : { libc: [libc] }),
    ...(license === undefined ? {} : { license }),
    optional: true,
    ...(os === undefined ? {} : { os: [os] }),
    ...(engines === undefined ? {} : { engines }),
  }
}
