"""Time zones of Ruby's date library: offsets, and the abbreviations in its table."""

from __future__ import annotations

import re
from functools import cache

# Seconds east of UTC, and Ruby's names for that offset.
_TABLE = """
-43200=y,aoe,idlw,dateline
-39600=x,nt,nut,sst,samoa
-36000=w,ahst,ckt,hast,hst,taht,hawaiian
-32400=v,akst,gamt,hadt,hdt,yst,alaskan
-30600=mart
-28800=u,akdt,pst,ydt,pacific
-25200=t,mst,pdt,mountain,us mountain
-21600=s,cst,east,galt,mdt,canada central,central america,central,mexico
-18000=r,act,cdt,cist,cot,ect,est,pet,eastern,sa pacific,us eastern
-14400=q,ast,bot,clt,edt,fkt,gyt,vet,atlantic,pacific sa,sa western
-12600=newfoundland
-10800=p,adt,art,brt,clst,fkst,gft,pmst,pyst,rott,srt,uyt,wgt,e. south america,greenland
-10800=sa eastern
-9000=nst
-7200=o,at,brst,fnt,pmdt,uyst,wgst
-5400=ndt
-3600=n,azot,cvt,egt,azores,cape verde
0=z,egst,gmt,ut,utc,wet,wt,greenwich
3600=a,bst,cet,fwt,met,mewt,mez,swt,wat,west,central europe,central european,romance
3600=w. central africa,w. europe
7200=b,cat,cest,eet,fle,fst,gtb,mest,mesz,sast,wast,e. europe,egypt,jerusalem,south africa
10800=c,arab,bt,eat,eest,fet,idt,msk,syot,trt,arabic,e. africa,russian
12600=iran,irst
14400=d,azt,get,kuyt,msd,mut,ret,samt,sct,arabian,caucasus
16200=aft,irdt,afghanistan
18000=e,aqtt,azst,mawt,mvt,orat,pkt,tft,tjt,tmt,uzt,yekt,ekaterinburg,west asia
19800=ist,india
20700=npt,nepal
21600=f,almt,btt,iot,kgt,omst,qyzt,vost,central asia,n. central asia,sri lanka
23400=cct,mmt,myanmar
25200=g,cxt,davt,hovt,ict,krat,novt,wib,north asia,se asia
28800=h,awst,bnt,cast,chot,hkt,irkt,myt,pht,sgt,ulat,wadt,wita,hovst,china,north asia east
28800=malay peninsula,taipei,w. australia
32400=i,awdt,jst,kst,pwt,tlt,wit,yakt,korea,tokyo,yakutsk
34200=acst,aus central,cen. australia
36000=k,aest,chst,chut,ddut,gst,pgt,vlat,yapt,aus eastern,e. australia,tasmania,vladivostok
36000=west pacific
37800=acdt,lhst
39600=l,aedt,eadt,kost,lhdt,magt,nct,nft,pont,sakt,sbt,sret,vut,central pacific
43200=m,anat,fiji,fjt,gilt,idle,mht,nfdt,nrt,nzst,nzt,pett,tvt,wakt,wft,new zealand
46800=fjst,nzdt,phot,tkt,tot,tonga
50400=lint,tost
"""
PATTERN = (
    r"(?:(?:gmt|utc?)?[-+][0-9]+(?:[,.:][0-9]+(?::[0-9]+)?)?"
    r"|[A-Za-z.\s]+(?:standard|daylight)\s+time\b|[A-Za-z]+(?:\sdst)?\b)"
)


@cache
def _offsets() -> dict[str, int]:
    found = {}
    for line in _TABLE.split("\n")[1:-1]:
        offset, _, names = line.partition("=")
        for name in names.split(","):
            found[name] = int(offset)
    return found


def zone_offset(text: str) -> int | None:
    """Return the seconds east of UTC of a zone's name or offset, or None."""
    name = " ".join(text.lower().split())
    daylight = False
    for suffix, saves in ((" standard time", False), (" daylight time", True), (" dst", True)):
        if name.endswith(suffix):
            name = name[: -len(suffix)]
            daylight = saves
            break
    known = _offsets().get(name)
    if known is not None:
        return known + 3600 if daylight else known
    for prefix in ("gmt", "utc"):
        if name.startswith(prefix):
            name = name[len(prefix) :]
    return _numeric_offset(name)


def _numeric_offset(text: str) -> int | None:
    match = re.fullmatch(r"([-+])([0-9]+)(?:([,.])([0-9]+)|:([0-9]+)(?::([0-9]+))?)?", text)
    if match is None:
        return None
    sign = -1 if match[1] == "-" else 1
    digits = match[2]
    if match[3]:
        # Ruby reads seven digits of the fraction of an hour and rounds to seconds.
        fraction = match[4][:7]
        part: float = int(fraction) * 3600 / 10.0 ** len(fraction)
        return sign * (int(digits) * 3600 + round(part))
    if match[5]:
        return sign * (int(digits) * 3600 + int(match[5]) * 60 + int(match[6] or 0))
    if len(digits) > 2:
        if len(digits) % 2:
            digits = "0" + digits
        hours, minutes, seconds_text = digits[:2], digits[2:4], digits[4:6]
        return sign * (int(hours) * 3600 + int(minutes) * 60 + int(seconds_text or 0))
    return sign * int(digits) * 3600


def parse_zone(text: str) -> int | None:
    """Return the offset of a string that is only a zone, or None."""
    match = re.match(PATTERN, text, re.IGNORECASE)
    return None if match is None else zone_offset(match[0])
