#!/bin/sh
# package.sh [FILE.vsix]: the extension as one file, without network: `code --install-extension FILE.vsix`. Needs zip, or python3.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
to=${1:-edgewise.vsix}
case $to in /*) ;; *) to=$PWD/$to ;; esac
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir "$work/extension"
cp -R "$here/package.json" "$here/language-configuration.json" "$here/extension.js" "$here/syntaxes" "$work/extension/"
version=$(sed -n 's/.*"version": "\([^"]*\)".*/\1/p' "$here/package.json")
cat > "$work/[Content_Types].xml" <<'XML'
<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension=".json" ContentType="application/json"/><Default Extension=".js" ContentType="application/javascript"/><Default Extension=".vsixmanifest" ContentType="text/xml"/></Types>
XML
cat > "$work/extension.vsixmanifest" <<XML
<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="edgewise" Version="$version" Publisher="edgewise"/>
    <DisplayName>Edgewise schemes</DisplayName>
    <Description xml:space="preserve">Numerical schemes (.ew) by the language server of dslc</Description>
    <Categories>Programming Languages</Categories>
    <Properties><Property Id="Microsoft.VisualStudio.Code.Engine" Value="^1.75.0"/></Properties>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets>
</PackageManifest>
XML
rm -f "$to"
if command -v zip >/dev/null; then (cd "$work" && zip -q -r "$to" .)
else (cd "$work" && python3 -m zipfile -c "$to" ./*); fi
echo "$to"
