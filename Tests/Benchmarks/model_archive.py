"""Writes a Core Data model as a store keeps it: a keyed archive, deflated."""
import plistlib
import zlib
from plistlib import UID

STRING, INTEGER, DOUBLE, BOOLEAN, DATE, IDENTIFIER = 700, 300, 500, 800, 900, 1100


class Archive:
    """Objects that refer to each other by their places; the first is null."""

    def __init__(self):
        self.objects = ["$null"]

    def add(self, value):
        self.objects.append(value)
        return UID(len(self.objects) - 1)

    def instance(self, classes, **fields):
        described = self.add({"$classname": classes[0], "$classes": [*classes, "NSObject"]})
        return self.add({**fields, "$class": described})

    def dictionary(self, members):
        return self.instance(["NSDictionary"], **{"NS.keys": [self.add(key) for key in members], "NS.objects": list(members.values())})

    def bytes(self, root):
        whole = {"$version": 100000, "$archiver": "NSKeyedArchiver", "$top": {"root": root}, "$objects": self.objects}
        return plistlib.dumps(whole, fmt=plistlib.FMT_BINARY)


def model_cache(entities):
    """What `Z_MODELCACHE` holds for entities: for each its attributes, with their types, and its relationships, as destination, inverse, and what of
    `many` and `ordered` they are."""
    archive = Archive()
    described = {name: archive.add(None) for name in entities}
    for name, (attributes, links) in entities.items():
        properties = {key: attribute(archive, key, kind) for key, kind in attributes.items()}
        properties |= {key: relationship(archive, key, described, *link) for key, link in links.items()}
        entity = archive.instance(["NSEntityDescription"], NSEntityName=archive.add(name), NSProperties=archive.dictionary(properties),
                                  NSSuperentity=UID(0))
        archive.objects[described[name].data] = archive.objects[entity.data]
    root = archive.instance(["NSManagedObjectModel"], NSEntities=archive.dictionary(described))
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(archive.bytes(root)) + packer.flush()


def attribute(archive, name, kind):
    return archive.instance(["NSAttributeDescription", "NSPropertyDescription"], NSPropertyName=archive.add(name), NSAttributeType=kind,
                            NSFlagsKey=0, NSIsOptional=True)


def relationship(archive, name, described, destination, inverse, *kinds):
    names = {"_NSDestinationEntityName": archive.add(destination), "_NSInverseRelationshipName": archive.add(inverse)}
    return archive.instance(["NSRelationshipDescription", "NSPropertyDescription"], NSPropertyName=archive.add(name),
                            NSMaxCount=0 if "many" in kinds else 1, NSIsOrdered="ordered" in kinds,
                            NSDestinationEntity=described[destination], **names)
