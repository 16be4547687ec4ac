"""SVG files as strangers send them."""

from __future__ import annotations

from base64 import b64encode

from support.png import png

PIXELS = b64encode(png(3, 2)).decode()
DRAWING = """<svg xmlns="http://www.w3.org/2000/svg"
  xmlns:xlink="http://www.w3.org/1999/xlink" viewBox="0 0 20 10">{}</svg>"""
DOCUMENT_TYPE = (
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" '
    '"http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'
)

# As editors export them; the names are those of the editors or of what is special.
ORDINARY = {
    "inkscape": f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>
<!-- Created with Inkscape -->
<svg width="40mm" height="40mm" viewBox="0 0 40 40" version="1.1" id="svg5"
  inkscape:version="1.3" sodipodi:docname="cat.svg"
  xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"
  xmlns:sodipodi="http://sodipodi.sourceforge.net/DTD/sodipodi-0.dtd"
  xmlns:xlink="http://www.w3.org/1999/xlink" xmlns="http://www.w3.org/2000/svg"
  xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:cc="http://creativecommons.org/ns#">
<sodipodi:namedview id="v7" pagecolor="#ffffff"><inkscape:grid id="g9"/></sodipodi:namedview>
<defs id="d2"><linearGradient inkscape:collect="always" id="lg1">
  <stop style="stop-color:#ff0000;stop-opacity:1;" offset="0" id="s1"/><stop offset="1"/>
</linearGradient><linearGradient xlink:href="#lg1" id="lg2" gradientUnits="userSpaceOnUse"/>
<clipPath clipPathUnits="userSpaceOnUse" id="c7"><circle cx="20" cy="20" r="15"/></clipPath>
<marker style="overflow:visible" id="Arrow1" refX="0" orient="auto" inkscape:isstock="true"><path
  style="fill:context-stroke;stroke-width:1pt" d="M0,0L5,-5L-12.5,0L5,5z"/></marker>
<inkscape:path-effect effect="spiro" id="pe1"/></defs>
<metadata id="m5"><rdf:RDF><cc:Work rdf:about=""/></rdf:RDF></metadata>
<g inkscape:label="Layer 1" inkscape:groupmode="layer" id="layer1" clip-path="url(#c7)">
<title id="t">A cat</title><path sodipodi:nodetypes="ccc" style="color:#000000;font-style:normal;
  font-feature-settings:normal;line-height:normal;text-indent:0;letter-spacing:normal;
  writing-mode:lr-tb;baseline-shift:baseline;white-space:normal;shape-padding:0;opacity:1;
  isolation:auto;mix-blend-mode:normal;color-interpolation-filters:linearRGB;solid-color:#000000;
  fill:url(#lg2);-inkscape-stroke:none;paint-order:stroke fill markers" d="m 5,5 h 30 v 30 z"
  id="p1"/><path style="fill:none;stroke:#000;marker-end:url(#Arrow1)" d="M 2,2 30,30"/>
<use xlink:href="#p1" transform="translate(3,3)" width="100%" inkscape:transform-center-x="1"/>
<image width="3" height="2" xlink:href="data:image/png;base64,{PIXELS[:20]}
 {PIXELS[20:]}" style="image-rendering:optimizeSpeed"/></g></svg>""",
    "illustrator": f"""<?xml version="1.0" encoding="utf-8"?>{DOCUMENT_TYPE}
<svg version="1.1" id="Layer_1" xmlns="http://www.w3.org/2000/svg"
  xmlns:xlink="http://www.w3.org/1999/xlink" x="0px" y="0px" viewBox="0 0 512 512"
  style="enable-background:new 0 0 512 512;" xml:space="preserve"><style type="text/css">
  .st0{{fill:#F7931E;}} /* a comment */
  .st1{{clip-path:url(#SVGID_2_);fill:url(#SVGID_1_);}}
  .st2,.st3{{stroke:#000000;stroke-miterlimit:10;opacity:0.5;enable-background:new    ;}}
  .st3{{isolation:isolate;mix-blend-mode:multiply;}}</style>
<g><defs><rect id="SVGID_3_" width="512" height="512"/></defs><clipPath id="SVGID_2_">
<use xlink:href="#SVGID_3_" style="overflow:visible;"/></clipPath>
<radialGradient id="SVGID_1_" cx="256" cy="256" r="100" gradientUnits="userSpaceOnUse">
<stop offset="0" style="stop-color:#FFFFFF"/></radialGradient><path class="st0" d="M0,0h9v9z"/>
<circle class="st1" r="200"/><polygon class="st2 st3" points="0,0 10,10 20,0 "/></g></svg>""",
    "figma": f"""<svg width="24" height="24" viewBox="0 0 24 24" fill="none"
  xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">
<mask id="mask0" style="mask-type:luminance" maskUnits="userSpaceOnUse" x="0" y="0" width="24"
  height="24"><path d="M24 0H0V24H24V0Z" fill="white"/></mask><g mask="url(#mask0)">
<path fill-rule="evenodd" clip-rule="evenodd" d="M2 2L20 20V2Z"
  style="fill:#D9D9D9;fill:color(display-p3 0.85 0.85 0.85);fill-opacity:1;"/></g>
<rect style="mix-blend-mode:multiply" width="24" height="10" fill="url(#pattern0)"/><defs>
<pattern id="pattern0" patternContentUnits="objectBoundingBox" width="1" height="1">
<use xlink:href="#image0" transform="scale(0.3333)"/></pattern>
<image id="image0" width="3" height="2" xlink:href="data:image/png;base64,{PIXELS}"/></defs>
</svg>""",
    "sketch": """<svg width="20px" height="20px" viewBox="0 0 20 20" version="1.1"
  xmlns="http://www.w3.org/2000/svg" xmlns:sketch="http://www.bohemiancoding.com/sketch/ns">
<title>icon</title><desc>Created with Sketch.</desc><defs></defs><g id="Page-1" stroke="none"
  fill-rule="evenodd" sketch:type="MSPage"><path d="M1 1h9v9z" fill="#1A1919"/></g></svg>""",
    "affinity": f"""<?xml version="1.0" encoding="UTF-8" standalone="no"?>{DOCUMENT_TYPE}<svg
  width="100%" height="100%" viewBox="0 0 200 100" xmlns="http://www.w3.org/2000/svg"
  xmlns:serif="http://www.serif.com/" style="fill-rule:evenodd;stroke-linejoin:round;">
<g id="Artboard1" serif:id="Artboard 1" transform="matrix(1,0,0,1,0,0)"><ellipse cx="50" cy="50"
  rx="30" ry="20" style="fill:rgb(255,0,0);fill-opacity:0.5;"/></g></svg>""",
    "corel": """<svg xmlns="http://www.w3.org/2000/svg" xml:space="preserve" width="10in"
  style="shape-rendering:geometricPrecision; text-rendering:geometricPrecision"
  viewBox="0 0 10000 8000" xmlns:xodm="http://www.corel.com/coreldraw/odm/2003"><defs>
<style type="text/css"><![CDATA[ .fil0 {fill:#FEFEFE;fill-rule:nonzero} ]]></style></defs>
<g id="Layer_x0020_1"><metadata id="Corel-Layer"/><path class="fil0" d="M10 10l500 0z"/></g>
</svg>""",
    "icons of the web": """<svg xmlns="http://www.w3.org/2000/svg" width="24" height="24"
  viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-linecap="round" class="feather sun"
  aria-hidden="true" role="img" focusable="false" t="1580" p-id="2045" style="width: 1em;
  height: 1em;vertical-align: middle;fill: currentColor;overflow: hidden;" data-name="sun">
<circle cx="12" cy="12" r="5"/><line x1="12" y1="1" x2="12" y2="3" p-id="2"/></svg>""",
    "without a namespace": '<svg viewBox="0 0 24 24"><path d="M12,7A5,5 0 0,1 17,12Z"/></svg>',
    "with a prefix": """<s:svg xmlns:s="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><s:rect
  width="4" height="4"/></s:svg>""",
    "in Latin-1": """<?xml version="1.0" encoding="iso-8859-1"?><svg viewBox="0 0 4 4"
  xmlns="http://www.w3.org/2000/svg"><symbol id="s" viewBox="0 0 3 3"><rect width="3"/></symbol>
<use href="#s" width="3" height="3"/></svg>""",
}


def url_of(svg: str | bytes) -> str:
    data = svg.encode() if isinstance(svg, str) else svg
    return f"data:image/svg+xml;base64,{b64encode(data).decode()}"
