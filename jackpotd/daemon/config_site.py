"""What the site, its ledger and its broker must say."""

from __future__ import annotations

from jackpotd.daemon.config_faults import FaultList
from jackpotd.daemon.config_models import ApprovalBlock, FileModel, MqttBlock, SiteBlock


def check_site(model: FileModel, faults: FaultList) -> None:
    """Every fault of the blocks that are neither pool nor table."""
    _check_names(model.site, faults)
    if model.ledger.url is None:
        faults.add("ledger.url", "name the ledger, like sqlite:////var/lib/jackpotd/ledger.db")
    _check_mqtt(model.mqtt, faults)
    if model.metrics is not None and model.metrics.listen is None:
        faults.add("metrics.listen", "name the address of the metrics page, like 127.0.0.1:9464")
    if model.control is not None and model.control.socket is None:
        faults.add("control.socket", "name the path of the control socket")
    if model.capture is not None and model.capture.folder is None:
        faults.add("capture.dir", "name the folder of the captures, like /var/lib/jackpotd/captures")
    for number, approval in enumerate(model.approval, start=1):
        _check_approval(f"approval[#{number}]", approval, faults)


def _check_names(site: SiteBlock, faults: FaultList) -> None:
    if site.id is None:
        faults.add("site.id", "every site has an id")
    if site.currency is None:
        faults.add("site.currency", "name the currency of the tables, like MOP")
    if site.timezone is None:
        faults.add("site.timezone", "name the time zone of the gaming day, like Asia/Macau")


def _check_mqtt(mqtt: MqttBlock, faults: FaultList) -> None:
    if mqtt.password_file is not None and mqtt.username is None:
        faults.add("mqtt.username", "a password without a user name is never sent")
    if mqtt.url is None:
        faults.add("mqtt.url", "name the broker, like mqtt://127.0.0.1:1883")
        return
    if mqtt.ca_file is not None and not mqtt.url.tls:
        faults.add("mqtt.ca_file", "only mqtts:// looks at certificates")
    if mqtt.url.loopback or mqtt.insecure:
        return
    if not mqtt.url.tls:
        faults.add("mqtt.url", "off this machine the broker is reached by mqtts://, unless insecure = true")
    if mqtt.username is None:
        faults.add("mqtt.username", "off this machine nobody is anonymous, unless insecure = true")
    if mqtt.password_file is None:
        faults.add("mqtt.password_file", "off this machine nobody is anonymous, unless insecure = true")


def _check_approval(key: str, approval: ApprovalBlock, faults: FaultList) -> None:
    if not approval.covers:
        faults.add(f"{key}.covers", "name the articles whose options are approved")
    if approval.reference is None:
        faults.add(f"{key}.reference", "name the regulator's reference")
    if approval.applied is None:
        faults.add(f"{key}.applied", "name the date of the application")
    if approval.effective is None:
        faults.add(f"{key}.from", "name the date from which it is in force")
    if approval.applied is not None and approval.effective is not None and approval.effective < approval.applied:
        faults.add(f"{key}.from", "is before the application")
